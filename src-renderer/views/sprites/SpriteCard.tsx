import { useImperativeHandle, useRef, type Ref } from 'react'
import { cssColour } from '@shared/c64/palettes'
import { SPRITE_HEIGHT, SPRITE_WIDTH, type Sprite } from '@shared/c64/sprites'
import { setText } from '../../widgets/setText'
import { describeSprite, paintSprite, spriteColours, type SpriteText } from './spriteText'

export interface SpriteCardHandle {
  paint(sprite: Sprite, palette: readonly number[]): void
  describe(sprite: Sprite, palette: readonly number[], characterRomIsKnown: boolean): void
}

interface SpriteCardProps {
  readonly ref: Ref<SpriteCardHandle>
  readonly n: number
  readonly onAddress: () => void
}

/** One sprite; filled through its handle, never by a render. */
export function SpriteCard({ ref, n, onAddress }: SpriteCardProps) {
  const card = useRef<HTMLLIElement>(null)

  useImperativeHandle(
    ref,
    () => ({
      paint: (...args) => paint(card.current, ...args),
      describe: (...args) => describe(card.current, ...args),
    }),
    [],
  )

  return (
    <li ref={card} className="sprite" aria-label={`Sprite ${n}`}>
      <div className="sprite-picture">
        <canvas width={SPRITE_WIDTH} height={SPRITE_HEIGHT} role="img" aria-label={`Picture of sprite ${n}`} />
      </div>
      <div className="sprite-facts">
        <h3>
          {n} <Field of="state" className="muted" />
        </h3>
        <Field of="position" className="data" />
        <div className="data">
          <Field of="pointer" />
          {' → '}
          <button
            type="button"
            className="link"
            data-of="address"
            title="Show its data in memory"
            onClick={onAddress}
          />
        </div>
        <div>
          <Field of="mode" />, <Field of="size" className="data" />
        </div>
        <Field of="priority" className="muted" />
        <div className="sprite-colours">
          {[0, 1, 2].map((index) => (
            <span key={index} className="sprite-colour">
              <i />
              <span />
            </span>
          ))}
        </div>
        <Field of="note" className="sprite-note" />
      </div>
    </li>
  )
}

function Field({ of, className }: { readonly of: keyof SpriteText; readonly className?: string }) {
  return <span data-of={of} className={className} />
}

const image = new ImageData(SPRITE_WIDTH, SPRITE_HEIGHT)
const words = new Uint32Array(image.data.buffer)

function paint(card: HTMLElement | null, sprite: Sprite, palette: readonly number[]): void {
  const canvas = card?.querySelector('canvas')
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return
  paintSprite(sprite, palette, words)
  context.putImageData(image, 0, 0)
}

function describe(
  card: HTMLElement | null,
  sprite: Sprite,
  palette: readonly number[],
  characterRomIsKnown: boolean,
): void {
  if (!card) return
  card.classList.toggle('off', !sprite.enabled)
  card.classList.toggle('wide', sprite.expandX)
  card.classList.toggle('tall', sprite.expandY)
  const texts: Readonly<Record<string, string>> = { ...describeSprite(sprite, characterRomIsKnown) }
  for (const field of card.querySelectorAll<HTMLElement>('[data-of]'))
    setText(field, texts[field.dataset['of'] ?? ''] ?? '')
  const colours = spriteColours(sprite)
  card.querySelectorAll<HTMLElement>('.sprite-colour').forEach((element, index) => {
    const colour = colours[index]
    const [swatch, name] = element.children
    element.hidden = colour === undefined
    if (!colour || !(swatch instanceof HTMLElement) || !(name instanceof HTMLElement)) return
    swatch.style.background = cssColour(palette, colour.colour)
    setText(name, colour.text)
  })
}
