export function runtimeFolders(): string[]
