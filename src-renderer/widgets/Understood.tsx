/** What is understood of an address, below the field that one types it into; the field is described by its id. */
export const Understood = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <output id={id} className="understood data" hidden={text === ''}>
    {text}
  </output>
)
