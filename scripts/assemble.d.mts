export function assembleAll(sourceFolder?: string, outputFolder?: string): Promise<void>

/** One source file; throws an Error that names file and line of what is wrong. */
export function assemble(
  file: string,
  options: { readonly format: 'prg' | 'raw'; readonly shared?: string },
): { readonly bytes: Uint8Array; readonly symbols: Map<string, number> }
