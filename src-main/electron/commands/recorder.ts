import { formatAddress } from '@shared/c64/address'
import type { ExportRequest, exportFormats } from '@shared/contract/recorder'
import { savedFile } from './savedFile'
import type { MainAreaHandlers, MainServices } from './services'

const exportTypes: Record<(typeof exportFormats)[number], { extension: string; name: string }> = {
  csv: { extension: 'csv', name: 'CSV, one change per line' },
  raw: { extension: 'bin', name: 'Raw bytes' },
  png: { extension: 'png', name: 'PNG picture' },
  apng: { extension: 'png', name: 'Animated PNG picture' },
  marks: { extension: 'csv', name: 'CSV, one mark per line' },
}

export const createRecorderHandlers = ({
  bridge,
  dialogs,
  grants,
}: Pick<MainServices, 'bridge' | 'dialogs' | 'grants'>): MainAreaHandlers<'recorder'> => ({
  'recorder.export': async ({ recording, request }, signal) => {
    const { extension, name } = exportTypes[request.format]
    const path = await dialogs.save(
      'recording',
      'Export from recording',
      `${recording.replace(/[^\w.-]/g, '-')}-${partOf(request)}.${extension}`,
      [{ name, extensions: [extension] }],
    )
    if (path === undefined) return { saved: null, damages: [] }
    const { damages } = await bridge('recorder.exportTo', { recording, path, request }, signal)
    return { saved: savedFile(grants, path), damages }
  },
})

function partOf(request: ExportRequest): string {
  switch (request.format) {
    case 'csv':
      return `${request.space}-${formatAddress(request.address).slice(1)}`
    case 'raw':
      return `${request.space}-${momentOf(request.time)}`
    case 'png':
      return `${subjectOf(request.subject)}-${momentOf(request.time)}`
    case 'apng':
      return `${subjectOf(request.subject)}-animated`
    case 'marks':
      return 'marks'
  }
}

const subjectOf = (subject: Extract<ExportRequest, { format: 'png' }>['subject']): string =>
  subject === 'screen' ? subject : `sprite${subject.sprite}`

function momentOf(time: number): string {
  const date = new Date(time)
  const clock = date.toTimeString().slice(0, 8).replaceAll(':', '-')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
