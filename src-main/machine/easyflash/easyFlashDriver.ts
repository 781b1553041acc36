import { requireLink, type Driver } from '../driver'
import { createEasyFlashMachine } from './driver'

export const easyFlashDriver: Driver = {
  create: (name, link) => createEasyFlashMachine({ name, link: requireLink(link) }),
  // STMicroelectronics uses these numbers for every board with such a port.
  boards: [{ title: 'Kung Fu Flash', ids: '0483:5740', description: /kung.?fu/i }],
}
