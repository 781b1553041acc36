/** A minute of silence, for every kind of machine alike. */
import { afterEach, describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { MachineManager } from '../../src-main/machine/manager'
import { deviceKinds } from '../support/deviceKinds'
import { eventually } from '../vice/eventually'
import { attachedMachine, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

describe('devices that do not answer for a minute', () => {
  it(
    'are told to be silent or gone, whatever their kind, and are live again by themselves',
    { timeout: 300_000 },
    async () => {
      const devices = await Promise.all(deviceKinds.map(async (kind) => ({ ...kind, device: await kind.start() })))
      const machines = devices.map(({ machineAt, device }) => machineAt(device.port))
      const names = machines.map(({ name }) => name)
      let states: readonly MachineState[] = []
      const seen = new Map<string, Set<string>>(names.map((name) => [name, new Set()]))
      const manager = new MachineManager({
        // It also has a built-in one and a VICE to start, which nobody connects here.
        create: (name) => machines.find((machine) => machine.name === name) ?? attachedMachine(1),
        defaultSampling: () => ({ mode: 'free', rate: 5 }),
        onStates: (all) => {
          states = all
          for (const { machine, connection } of all) seen.get(machine)?.add(connection)
        },
        log: () => undefined,
      })
      cleanUps.push(
        ...devices.map(
          ({ device }) =>
            () =>
              device.stop(),
        ),
        () => manager.close(),
      )
      for (const name of names) {
        manager.subscribe(name, { spaces: ['ram', 'cpu'], picture: false }, () => undefined)
        await manager.connect(name, soon())
      }
      const of = (name: string) => states.find(({ machine }) => machine === name)
      for (const name of names) await eventually(() => of(name)?.connection).toBe('live')

      await Promise.all(devices.map(({ device }) => device.setSilent(true)))
      const begun = performance.now()
      for (const name of names)
        await expect.poll(() => of(name)?.connection, { timeout: 60_000, message: name }).not.toBe('live')
      for (const name of names) seen.get(name)?.clear()
      while (performance.now() - begun < 60_000) {
        await new Promise((later) => setTimeout(later, 500))
        for (const name of names) expect(of(name)?.reason, `${name} is ${of(name)?.connection}`).toMatch(/\.$/)
      }
      // Nobody took one of them for live in between.
      for (const name of names)
        expect([...(seen.get(name) ?? [])].filter((connection) => connection === 'live')).toEqual([])

      await Promise.all(devices.map(({ device }) => device.setSilent(false)))
      for (const name of names)
        await expect.poll(() => of(name)?.connection, { timeout: 60_000, message: name }).toBe('live')
    },
  )
})
