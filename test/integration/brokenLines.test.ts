/** Lines that break a thousand times, for every kind of machine alike. */
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { CuttingProxy } from '../support/cuttingProxy'
import { deviceKinds } from '../support/deviceKinds'
import { soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** The same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe.each(deviceKinds)('$name whose line breaks again and again', ({ start, machineAt, space, breaks }) => {
  it(
    `${breaks} times, is lost with a reason, gives no wrong byte, and is there again each time`,
    { timeout: 300_000 },
    async () => {
      const device = await start()
      const proxy = await CuttingProxy.open(device.port)
      const machine = machineAt(proxy.port)
      cleanUps.push(
        () => device.stop(),
        () => proxy.close(),
        () => machine.disconnect(),
      )
      const random = randomNumbers(20_261_121)
      await machine.connect(soon())
      const range = { space, address: 0x0400, length: 600 }
      const right = await machine.readMemory(range, soon())
      let broken = 0
      const expectReason = (error: unknown): undefined => {
        broken++
        expect(error).toBeInstanceOf(AppError)
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(LOST|UNREACHABLE|TIMEOUT|CONFLICT)$/) as string,
          message: expect.stringMatching(/\.$/) as string,
        })
      }
      for (let count = 0; count < breaks; count++) {
        proxy.cut({ after: random(random(4) === 0 ? 2_000 : 80), reset: random(2) === 0 })
        // Some are lost in a read, some while they are connected again, some while nobody asks.
        for (let reads = 0; reads < 6 && machine.status.connection !== 'lost'; reads++) {
          const bytes = await machine.readMemory(range, soon()).catch(expectReason)
          if (bytes) expect(bytes).toEqual(right)
        }
        if (random(3) === 0) await machine.connect(soon()).catch(expectReason)
        proxy.cut(null)
        if (machine.status.connection === 'lost') await machine.connect(soon())
        // An Ultimate's line is another for each request, so that it may not have been missed.
        expect(await machine.readMemory(range, soon())).toEqual(right)
        expect(machine.status).toMatchObject({ connection: 'live', reason: null })
        expect(broken).toBeGreaterThan(count)
      }
    },
  )
})
