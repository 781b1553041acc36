/** From Linux's /proc; see proc(5). */
import { readdir, readFile, readlink } from 'node:fs/promises'

const LISTENING = '0A'
const TICKS_PER_SECOND = 100

/** Null where unknown: other systems, processes of other users. */
export async function findListener(port: number): Promise<number | null> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readOr(`/proc/net/${name}`)))
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const inode = tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .find(([, local = '', , state]) => state === LISTENING && local.endsWith(`:${hexPort}`))?.[9]
  if (inode === undefined) return null
  const target = `socket:[${inode}]`
  for (const name of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(name) && (await holds(name, target))) return Number(name)
  }
  return null
}

/** Seconds since the process started; undefined where unknown. */
export async function processTime(pid: number): Promise<number | undefined> {
  const stat = await readOr(`/proc/${pid}/stat`)
  // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : undefined
}

async function holds(pid: string, target: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return targets.includes(target)
}

const readOr = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '')
