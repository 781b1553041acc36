import { basename } from 'node:path'
import { formatAddress } from '@shared/c64/address'
import type { ExportRequest, exportFormats } from '@shared/contract/recorder'
import type { MainAreaHandlers, MainServices } from './services'

const exportTypes: Record<(typeof exportFormats)[number], { extension: string; name: string }> = {
  csv: { extension: 'csv', name: 'CSV, one change per line' },
  raw: { extension: 'bin', name: 'Raw bytes' },
  png: { extension: 'png', name: 'PNG picture' },
  apng: { extension: 'png', name: 'Animated PNG picture' },
}

export const createRecorderHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'recorder'> => ({
  'recorder.export': async ({ recording, request }, signal) => {
    const { extension, name } = exportTypes[request.format]
    const path = await dialogs.save(
      'recording',
      'Export from recording',
      `${recording.replace(/[^\w.-]/g, '-')}${byteOf(request)}.${extension}`,
      [{ name, extensions: [extension] }],
    )
    if (path === undefined) return { name: null, damages: [] }
    const { damages } = await bridge('recorder.exportTo', { recording, path, request }, signal)
    return { name: basename(path), damages }
  },
})

/** What tells the file of one byte from that of the next: `-00A2`. */
const byteOf = (request: ExportRequest): string =>
  request.format === 'csv' ? `-${formatAddress(request.address).slice(1)}` : ''
