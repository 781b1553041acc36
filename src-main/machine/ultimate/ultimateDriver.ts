import { requireTcp, type Driver } from '../driver'
import { createUltimateMachine } from './driver'
import { probeUltimate } from './probe'

export const ultimateDriver: Driver = {
  create: (name, link, { settings, notes }) =>
    createUltimateMachine({ name, ...requireTcp(link), allowed: () => settings.current.hardwareSampling, notes }),
  probe: (address, signal) => probeUltimate(address, signal),
}
