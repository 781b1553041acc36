/** @param file relative to `folder`, with `/`; empty for the folder itself */
export function fullPath(folder: string, file: string): string {
  if (file === '') return folder
  const separator = /^[A-Za-z]:\\|^\\\\/.test(folder) ? '\\' : '/'
  return `${folder.endsWith(separator) ? folder : folder + separator}${file.replaceAll('/', separator)}`
}
