/** Takes a lock again and again without a pause, and adds a byte to a file each time: `node … greedyLockHolder.ts FILE TURNS`. */
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { ProcessLock } from '../../src-main/files/processLock'

const [, , path = '', turns = ''] = process.argv
const lock = new ProcessLock(path)
for (;;) {
  await lock.hold(async () => {
    appendFileSync(turns, '.')
    await wait(5)
  })
  process.stdout.write('turn\n')
}
