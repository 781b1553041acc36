export function makeAppPackages(words?: readonly string[]): Promise<{ files: string[]; standIn: string | undefined }>
export function unpacked(): string
