import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** @returns null where there is none */
export function findProgram(command: string, environment: NodeJS.ProcessEnv = process.env): string | null {
  if (isAbsolute(command)) return isProgram(command) ? command : null
  if (/[\\/]/.test(command)) return null
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, command)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
