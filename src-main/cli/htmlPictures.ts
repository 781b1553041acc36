import { escapeHtml } from '@shared/escapeHtml'

export interface TitledPicture {
  readonly title: string
  readonly png: Uint8Array
}

export const htmlImage = ({ title, png }: TitledPicture): string =>
  `<img alt="${escapeHtml(title)}" src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`

export const htmlFigure = (picture: TitledPicture): string =>
  `<figure><figcaption>${escapeHtml(picture.title)}</figcaption>${htmlImage(picture)}</figure>`
