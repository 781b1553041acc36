export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** `1 run`, `2 runs` */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
