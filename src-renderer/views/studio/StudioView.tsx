import { Upload, ImagePlus, MonitorPlay, Plus, RefreshCw, Save, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { perform, useActionLimit } from '../../client/actions'
import { useArtworkSource } from '../../client/artworkSources'
import { useChosen } from '../../client/chosen'
import { useShortcuts } from '../../client/shortcuts'
import type { ViewProps } from '../../client/view'
import { useFrameWish } from '../../frames/frames'
import { useSpriteMemory } from '../../frames/sprites'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { Problem } from '../../widgets/Problem'
import { usePreview } from './machinePreview'
import { StudioNumbers } from './StudioNumbers'
import { StudioOptions } from './StudioOptions'
import { StudioPictures } from './StudioPictures'
import { formatFor } from './savePicture'
import { conversionSubjects, convertNow, useStudio } from './studio'
import { useOptionsStamp } from './studioOptions'
import './studio.css'

export function StudioView({ visible }: ViewProps) {
  useArtworkSource('studio', conversionSubjects)
  const file = useStudio((studio) => studio.file)
  const failure = useStudio((studio) => studio.failure)
  const isReading = useStudio((studio) => studio.progress !== null)
  const stamp = useOptionsStamp()
  const ram = useSpriteMemory()
  useFrameWish(visible && file !== null, ['io', ram])
  useEffect(() => {
    if (file !== null) convertNow()
    // Of a file that was just opened, the worker's answer asks for the first conversion.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [stamp])
  return (
    <div className="view studio">
      <Tools />
      <Problem failure={failure} className="studio-problem" />
      {file === null ? (
        <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Picture studio">
          {isReading ? (
            <p className="studio-reading muted" role="status">
              Reading the picture…
            </p>
          ) : (
            <EmptyState
              title="Picture studio"
              action={<Button label="Open a picture…" look="primary" onClick={() => perform('photo.open')} />}
            >
              <p>Turns a PNG, JPEG or GIF into a bitmap, characters or sprites. Open one, or drop it here.</p>
            </EmptyState>
          )}
        </div>
      ) : (
        <div className="studio-parts">
          <StudioOptions />
          <div className="studio-shown">
            <StudioPictures />
            <StudioNumbers />
          </div>
        </div>
      )}
    </div>
  )
}

function Tools() {
  const isConverted = useStudio((studio) => studio.conversion !== null)
  const limit = useActionLimit('photo.preview')
  const preview = usePreview((state) => state.preview)
  const artwork = useStudio((studio) => studio.conversion?.artwork)
  const [saveAs] = useChosen('studio.saveAs')
  const format = artwork && formatFor(artwork, saveAs).title
  const none = isConverted ? null : 'No picture is converted.'
  return (
    <div className="toolbar" role="toolbar" aria-label="Picture">
      <Button label="Open…" icon={ImagePlus} tip="Open a PNG, JPEG or GIF" onClick={() => perform('photo.open')} />
      <Button label="Keep in the sheet" icon={Plus} why={none} onClick={() => perform('photo.keep')} />
      <Button
        label={format === undefined ? 'Save…' : `Save as ${format}…`}
        icon={Save}
        tip="In the format that “Save as” names"
        why={none}
        onClick={() => perform('photo.save')}
      />
      <Button
        label="Export…"
        icon={Upload}
        why={none}
        shortcut={useShortcuts()('graphics.export')}
        onClick={() => perform('graphics.export')}
      />
      <Button
        label={preview === null ? 'Preview on the machine' : 'Preview again'}
        icon={preview === null ? MonitorPlay : RefreshCw}
        why={none ?? limit}
        onClick={() => perform('photo.preview')}
      />
      <Button
        label="Take back"
        icon={Undo2}
        tip="Puts back what the preview replaced"
        why={preview === null ? 'No machine shows a preview.' : null}
        onClick={() => perform('photo.takeBack')}
      />
    </div>
  )
}
