export function which(program: string, path?: string): string | undefined
