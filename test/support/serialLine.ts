/** A serial line for tests: two pseudo serial ports, made by socat, that are each other's far end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SerialLine {
  /** The ports' paths. */
  readonly here: string
  readonly there: string
  /** Both ports are gone at once, as when the plug is pulled. Safe to call twice. */
  unplug(): Promise<void>
  /** The same paths lead to a line again. */
  plugIn(): Promise<void>
}

export async function openSerialLine(): Promise<SerialLine & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-line-'))
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  const start = async () => {
    const socat = spawn('socat', [`pty,raw,echo=0,link=${here}`, `pty,raw,echo=0,link=${there}`], { stdio: 'ignore' })
    const ended = once(socat, 'exit')
    while (!existsSync(here) || !existsSync(there)) {
      if (socat.exitCode !== null) throw new Error(`socat ended with ${socat.exitCode} before the line was there.`)
      await sleep(5)
    }
    return { socat, ended }
  }
  let running = await start()
  const unplug = async (): Promise<void> => {
    running.socat.kill('SIGKILL')
    await running.ended
    rmSync(here, { force: true })
    rmSync(there, { force: true })
  }
  return {
    here,
    there,
    unplug,
    plugIn: async () => {
      running = await start()
    },
    close: async () => {
      await unplug()
      rmSync(folder, { recursive: true })
    },
  }
}
