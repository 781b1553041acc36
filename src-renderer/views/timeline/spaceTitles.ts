import type { Space } from '@shared/contract/memory'

export const spaceTitles: Readonly<Record<Space, string>> = {
  cpu: 'CPU',
  ram: 'RAM',
  rom: 'ROM',
  io: 'I/O',
  colorRam: 'colour RAM',
}
