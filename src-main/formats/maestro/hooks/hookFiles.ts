import type { RunFiles } from '../../format'
import type { MaestroDetails } from '../details'
import { hookFilesOf } from '../detect'
import { hooksIn } from './hooksFile'

export const readHookFiles = ({ candidate, listing, files }: RunFiles): MaestroDetails['hookFiles'] =>
  hookFilesOf(candidate.folder)
    .map((file) => ({
      file,
      exists: listing.hasFile(file),
      calls: hooksIn(file, files.get(file)?.text ?? ''),
    }))
    .filter(({ calls }, index) => index === 0 || calls.length > 0)
