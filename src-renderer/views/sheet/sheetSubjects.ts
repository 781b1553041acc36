import { counted } from '@shared/countedText'
import { artworkKindTitles } from '@shared/graphics/artwork'
import { withOrder } from '@shared/graphics/editSheet'
import type { ExportSubject } from '../../client/artworkSources'
import { spritesOfSheet, useSheet } from '../../client/sheet'
import { pickedInOrder } from '../../widgets/pixelGrid/gridSelection'
import { selectionIn } from './sheetCommands'

export function sheetSubjects(): ExportSubject[] {
  const { artworks } = useSheet.getState()
  const found = spritesOfSheet(artworks)
  const others = artworks.filter((artwork, at) => at !== found?.at && artwork.kind !== 'sprites')
  const subjects: ExportSubject[] = []
  if (found && found.sheet.sprites.length > 0) {
    const { sheet } = found
    const count = sheet.sprites.length
    subjects.push({ title: `All ${counted(count, 'sprite')}`, name: 'sprites', artworks: [sheet] })
    const picked = pickedInOrder(selectionIn(sheet))
    if (picked.length < count)
      subjects.push({
        title: counted(picked.length, 'selected sprite'),
        name: 'sprites',
        artworks: [withOrder(sheet, picked)],
      })
  }
  for (const artwork of others)
    subjects.push({
      title: `${artworkKindTitles[artwork.kind]} ${artwork.name}`.trim(),
      name: artwork.name || artwork.kind,
      artworks: [artwork],
    })
  if (artworks.length > 1) subjects.push({ title: 'Everything', name: 'sheet', artworks })
  return subjects
}
