import { escapeHtml } from './escapeHtml'

export interface HtmlPage {
  readonly title: string
  readonly style: string
  readonly body: string
}

/** A self-contained page that can show only its own pictures, and neither run nor load anything. */
export const htmlPage = ({ title, style, body }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
