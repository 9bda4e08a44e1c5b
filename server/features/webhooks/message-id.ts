/** `msg_` and 32 hexadecimal digits: no dot, which divides what is signed. */
export const messageId = (id: string): string => `msg_${id.replaceAll('-', '')}`

/** Which delivery a message is: the way back. */
export const deliveryId = (message: string): string =>
  message.slice('msg_'.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
