/** Of something in a folder; machines separate by `/` whatever this computer does. */
export const pathIn = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`

/** Undefined for the topmost. */
export function folderAbove(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length === 0 ? undefined : `/${parts.slice(0, -1).join('/')}`
}

/** What is played rather than run. */
export const isTune = (name: string): boolean => /\.(sid|mod)$/i.test(name)

/** As a C64 person counts: `664 B`, `171 KiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / (1024 * 1024), 'MiB']
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`
}
