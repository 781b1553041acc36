import { dataParts, type DataPart, type DataSizes } from '@shared/contract/data'
import { isTaskFolder, partOfData, partOfTasks } from './dataFiles'
import { walk } from './walk'

export interface DataPlaces {
  readonly folder: string
  readonly tasks: string
}

export async function measureData({ folder, tasks }: DataPlaces, signal: AbortSignal): Promise<DataSizes> {
  const sizes = new Map<DataPart, { bytes: number; files: number }>(
    dataParts.map((part) => [part, { bytes: 0, files: 0 }]),
  )
  const add = async (
    place: string,
    partOf: (path: string) => DataPart | undefined,
    enters: (path: string) => boolean = () => true,
  ) => {
    for await (const { path, bytes } of walk(place, { signal, enters })) {
      const part = partOf(path)
      const size = part && sizes.get(part)
      if (!size) continue
      size.bytes += bytes
      size.files++
    }
  }
  await add(folder, partOfData)
  await add(tasks, partOfTasks, isTaskFolder)
  return { folder, tasks, parts: [...sizes].map(([part, size]) => ({ part, ...size })) }
}
