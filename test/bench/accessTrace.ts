/** How much of the built-in C64's speed it takes to note what reads, writes and runs each byte, which it always does. */
import { AccessTrace } from '../../src-main/machine/builtin/accessTrace'
import type { Row } from './row'
import { demoRunning, shareOfSpeed } from './share'

/** The compiler sees anew what is called when the methods change. */
const WARM_UP = 150

const noting = {
  begin: AccessTrace.prototype.begin,
  read: AccessTrace.prototype.read,
  write: AccessTrace.prototype.write,
}
const nothing: typeof noting = { begin: () => undefined, read: () => undefined, write: () => undefined }

export default function accessTrace(): Promise<Row[]> {
  const c64 = demoRunning()
  const frameWith = (methods: typeof noting) => () => {
    if (AccessTrace.prototype.read !== methods.read) Object.assign(AccessTrace.prototype, methods)
    c64.runFrame()
  }
  try {
    const value = shareOfSpeed(frameWith(nothing), frameWith(noting), WARM_UP)
    const row = { name: 'share of the speed that the access trace takes', value, unit: '%' }
    return Promise.resolve([{ ...row, target: 'at most 15 %', met: value <= 15 }])
  } finally {
    Object.assign(AccessTrace.prototype, noting)
  }
}
