export const sourceText = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${file.slice(file.search(/[^/\\]*$/))}:${line}`
