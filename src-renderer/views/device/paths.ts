/** Machines separate paths by `/`, whatever this computer does. */
export const pathIn = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`

/** Undefined for the topmost folder. */
export function folderAbove(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length === 0 ? undefined : `/${parts.slice(0, -1).join('/')}`
}

export const isTune = (name: string): boolean => /\.(sid|mod)$/i.test(name)
