/** Takes a lock, says so, and holds it until it is killed: `node … lockHolder.ts FILE`. */
import { ProcessLock } from '../../src-main/files/processLock'

const [, , path = ''] = process.argv
await new ProcessLock(path).hold(async () => {
  process.stdout.write('held\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
