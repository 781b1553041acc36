/** In binary units: `664 B`, `171 KiB`, `4.2 GiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let size = bytes
  let unit = -1
  do {
    size /= 1024
    unit++
  } while (Math.round(size) >= 1024 && unit < UNITS.length - 1)
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit] ?? ''}`
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB']
