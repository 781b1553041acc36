import { readFileSync } from 'node:fs'

/** Whether a process was stopped, as by SIGSTOP (state T of proc(5)); false where the system does not tell. */
export function isStoppedProcess(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  } catch {
    return false
  }
}
