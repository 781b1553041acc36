export function ensureBuilt(options?: { readonly mayBeOlder?: boolean }): Promise<void>
export function packagesAreInstalled(folder?: string): boolean
