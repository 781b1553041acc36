// Imported first: the scroll lock of Radix dialogs makes a <style>, and its helper get-nonce looks here for the nonce
// that our content security policy asks for.
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content')
Object.assign(globalThis, { __webpack_nonce__: nonce ?? undefined })
