import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { useLack } from '../../client/machines'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { EightSprites } from './EightSprites'
import { FrameSprites } from './FrameSprites'
import './sprites.css'

export function SpritesView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  const [show] = useChosen('sprites.show')
  if (lack !== null) return <NotHere what="sprites" why={lack} />
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Sprites">
        <ChoiceSegments choice="sprites.show" />
      </div>
      {show === 'now' ? <EightSprites visible={visible} /> : <FrameSprites visible={visible} />}
    </>
  )
}
