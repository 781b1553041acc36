import { AppError } from '@shared/contract/errors'
import { isInMachine, useEdited } from '../../client/edited'
import { editInSheet } from '../../client/editInSheet'
import { graphicsImageNow } from '../../frames/graphicsImage'
import { editedArtwork } from './editedArtwork'
import { looksOf, modelNow } from './models'

export function keepEdited(): void {
  const { edited } = useEdited.getState()
  if (!edited || !isInMachine(edited)) throw new AppError('CONFLICT', 'The editor shows nothing of a machine.')
  const model = modelNow(edited, graphicsImageNow(), looksOf(edited))
  if (typeof model === 'string') throw new AppError('CONFLICT', model)
  const artwork = editedArtwork(edited)
  if (!artwork) return
  const columns = 'columns' in edited ? edited.columns : undefined
  editInSheet(artwork, { columns, areOverlays: edited.kind === 'sprites' && edited.areOverlays })
}
