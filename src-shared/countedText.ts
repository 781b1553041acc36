export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
