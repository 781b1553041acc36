/** Another process that puts links out of a folder in the place of a folder and a file in it, and back, as fast as it can. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const script = `
const { renameSync, symlinkSync, writeSync } = require('node:fs')
const [inside, outside] = process.argv.slice(1)
let turn = 0
for (;;) {
  if (Math.random() < 1 / 64) writeSync(1, '.')
  const target = turn++ % 2 ? outside : inside + '/real'
  symlinkSync(target, inside + '/next')
  renameSync(inside + '/next', inside + '/sub')
  symlinkSync(target + '/file.prg', inside + '/next')
  renameSync(inside + '/next', inside + '/file.prg')
}`

export interface SwappedFolder {
  /** The folder that may be used: `sub/file.prg` and `file.prg` are now and then outside. */
  readonly inside: string
  readonly outside: string
  /** Resolves once it went on: on a busy computer it stands for a while. */
  swappedAgain(): Promise<void>
  stop(): Promise<void>
}

/** A PRG of $0801 with one byte stands at both places: 1 inside, 2 outside. */
export async function startSwapping(root: string): Promise<SwappedFolder> {
  const [inside, outside] = [join(root, 'inside'), join(root, 'outside')]
  mkdirSync(join(inside, 'real'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(inside, 'real', 'file.prg'), Uint8Array.of(0x00, 0xc0, 1))
  writeFileSync(join(outside, 'file.prg'), Uint8Array.of(0x00, 0xc0, 2))
  symlinkSync(join(inside, 'real'), join(inside, 'sub'))
  symlinkSync(join(inside, 'real', 'file.prg'), join(inside, 'file.prg'))
  const child = spawn(process.execPath, ['-e', script, inside, outside], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    inside,
    outside,
    swappedAgain: async () => {
      await once(child.stdout, 'data')
    },
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}
