/** `main.s:14`, without the file’s folder. */
export const sourceText = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${file.slice(file.search(/[^/\\]*$/))}:${line}`
