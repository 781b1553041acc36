import { requireLink, type Driver } from '../driver'
import { createTeensyRomMachine } from './driver'

export const teensyRomDriver: Driver = {
  create: (name, link, { settings }) =>
    createTeensyRomMachine({ name, link: requireLink(link), allowed: () => settings.current.hardwareSampling }),
  boards: [
    { title: 'TeensyROM', ids: '16c0:0489' },
    { title: 'TeensyROM', ids: '16c0:0483', description: /teensyrom/i },
  ],
}
