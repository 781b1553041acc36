import { requireLink, type Driver } from '../driver'
import { createStubMachine } from './driver'

export const stubDriver: Driver = {
  create: (name, link, { settings }) =>
    createStubMachine({ name, link: requireLink(link), allowed: () => settings.current.hardwareSampling }),
}
