import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zip, type Zippable } from 'fflate'
import { redact } from '../files/redact'

const MAX_LOG_BYTES = 2 * 1024 * 1024

export async function diagnosticsZip(
  logFolder: string,
  parts: Readonly<Record<string, () => unknown>>,
): Promise<Uint8Array> {
  const files: Zippable = {}
  for (const [name, get] of Object.entries(parts)) {
    files[`${name}.json`] = strToU8(redact(JSON.stringify(await Promise.resolve().then(get).catch(missing), null, 2)))
  }
  for (const name of (await readdir(logFolder)).filter((name) => name.endsWith('.log'))) {
    const text = await readFile(join(logFolder, name), 'utf8')
    files[`logs/${name}`] = strToU8(redact(text.slice(-MAX_LOG_BYTES)))
  }
  return new Promise((resolve, reject) => zip(files, (error, data) => (error ? reject(error) : resolve(data))))
}

const missing = (error: unknown) => ({ missing: error instanceof Error ? error.message : String(error) })
