import { escapeHtml } from '@shared/escapeHtml'
import { htmlPage } from '@shared/htmlPage'
import { htmlFigure, htmlImage, type TitledPicture } from './htmlPictures'

const PLACES = Array.from({ length: 21 }, (_, at) => at * 5)
const MIDDLE = 50

const slide = PLACES.map(
  (place) => `#at${place}:checked ~ .stage .over { clip-path: inset(0 0 0 ${place}%); }
#at${place}:checked ~ .stage .line { left: ${place}%; }`,
).join('\n')

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 1040px; padding: 24px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 24px 0 8px; }
p { margin: 0 0 8px; }
img { display: block; width: 100%; image-rendering: pixelated; }
fieldset { border: 0; margin: 0; padding: 0; max-width: 768px; }
fieldset > input { appearance: none; width: calc(100% / ${PLACES.length}); height: 24px; margin: 0; float: left; cursor: ew-resize;
  background: GrayText; border: 0; border-right: 1px solid Canvas; }
fieldset > input:checked { background: Highlight; }
fieldset > input:focus-visible { outline: 2px solid CanvasText; outline-offset: 1px; }
.stage { clear: both; position: relative; border: 1px solid GrayText; }
.stage .over { position: absolute; inset: 0; }
.stage .line { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: Highlight; }
.ends { display: flex; justify-content: space-between; max-width: 768px; }
figure { margin: 16px 0 0; max-width: 768px; }
${slide}
`

export interface ComparedPictures {
  readonly title: string
  readonly about: string
  readonly expected: TitledPicture
  readonly actual: TitledPicture
  readonly difference: TitledPicture | null
}

export function comparisonReport({ title, about, expected, actual, difference }: ComparedPictures): string {
  const radios = PLACES.map(
    (place) =>
      `<input type="radio" name="place" id="at${place}" aria-label="${place} %"${place === MIDDLE ? ' checked' : ''}>`,
  )
  const pictures = [expected, actual, ...(difference ? [difference] : [])]
  return htmlPage({
    title,
    style,
    body: `<p>${escapeHtml(about)}</p>
<p class="ends"><span>${escapeHtml(expected.title)}</span><span>${escapeHtml(actual.title)}</span></p>
<fieldset aria-label="How much of the first picture shows">
${radios.join('\n')}
<div class="stage">${htmlImage(expected)}<div class="over">${htmlImage(actual)}</div><div class="line"></div></div>
</fieldset>
${pictures.map(htmlFigure).join('\n')}`,
  })
}
