export const windowName: string
