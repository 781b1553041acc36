import { requireTcp, type Driver } from '../driver'
import { createUltimateMachine } from './driver'

export const ultimateDriver: Driver = {
  create: (name, link, { settings, notes }) =>
    createUltimateMachine({ name, ...requireTcp(link), allowed: () => settings.current.hardwareSampling, notes }),
}
