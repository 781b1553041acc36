import { Circle, Square } from 'lucide-react'
import { Button } from '../widgets/Button'
import { perform, useActionLimit } from './actions'
import { useFrontRecording } from './recordings'
import { useFrontMachine } from './machines'
import { whyStandsStill } from './standsStill'
import { shortcutOf } from './shortcuts'

export function RecordButton() {
  const isRecording = useFrontRecording() !== undefined
  const why = whyStandsStill(useFrontMachine())
  return (
    <span className={isRecording ? 'record-button on' : 'record-button'}>
      <Button
        label={isRecording ? 'Stop recording' : 'Record'}
        icon={isRecording ? Square : Circle}
        tip={
          isRecording
            ? 'Stop recording; the Timeline shows what was recorded'
            : ['Record memory, screen and registers', why].filter((text) => text !== null).join('. ')
        }
        shortcut={shortcutOf('recorder.toggle')}
        why={useActionLimit('recorder.toggle')}
        pressed={isRecording}
        onClick={() => perform('recorder.toggle')}
      />
    </span>
  )
}
