/** How much of the built-in C64's speed it takes to note what reads, writes and runs each byte, which it always does. */
import { AccessTrace } from '../../src-main/machine/builtin/accessTrace'
import { AddressSpace } from '../../src-main/machine/builtin/pla'
import type { Row } from './row'
import { demoRunning, shareOfSpeed } from './share'

/** The compiler sees anew what is called when the methods change. */
const WARM_UP = 150

const nothing = { value: () => undefined, configurable: true, writable: true }
const sameAddress = { ...nothing, value: (address: number) => address }
const { begin, read, write } = Object.getOwnPropertyDescriptors(AccessTrace.prototype)
const { placeOf } = Object.getOwnPropertyDescriptors(AddressSpace.prototype)
/** Also finding where in the trace an access is noted. */
const methods = {
  noting: { trace: { begin, read, write }, space: { placeOf } },
  idle: { trace: { begin: nothing, read: nothing, write: nothing }, space: { placeOf: sameAddress } },
}

export default function accessTrace(): Promise<Row[]> {
  const c64 = demoRunning()
  let current: keyof typeof methods = 'noting'
  const use = (name: keyof typeof methods): void => {
    if (current === name) return
    Object.defineProperties(AccessTrace.prototype, methods[name].trace)
    Object.defineProperties(AddressSpace.prototype, methods[name].space)
    current = name
  }
  const frameWith = (name: keyof typeof methods) => () => {
    use(name)
    c64.runFrame()
  }
  try {
    const value = shareOfSpeed(frameWith('idle'), frameWith('noting'), WARM_UP)
    const row = { name: 'share of the speed that the access trace takes', value, unit: '%' }
    return Promise.resolve([{ ...row, target: 'at most 15 %', met: value <= 15 }])
  } finally {
    use('noting')
  }
}
