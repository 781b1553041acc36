import { requireLink, type Driver } from '../driver'
import { createTeensyRomMachine } from './driver'
import { openSession } from './session'

export const teensyRomDriver: Driver = {
  create: (name, link, { settings }) =>
    createTeensyRomMachine({ name, link: requireLink(link), allowed: () => settings.current.hardwareSampling }),
  async probe(address, signal) {
    const { client, version } = await openSession({ kind: 'tcp', ...address }, signal)
    await client.close()
    return { title: null, about: version.text || 'TeensyROM' }
  },
  boards: [
    { title: 'TeensyROM', ids: '16c0:0489' },
    { title: 'TeensyROM', ids: '16c0:0483', description: /teensyrom/i },
  ],
}
