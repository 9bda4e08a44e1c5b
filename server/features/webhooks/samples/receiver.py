import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
if len(KEY) < 24:
    raise SystemExit("WEBHOOK_SECRET is no secret of a webhook")


def verify(headers, body):
    """What the site sent, or a ValueError."""
    id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("signed more than five minutes from now")
    mac = hmac.new(KEY, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    # While the secret is being changed there are two signatures.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise ValueError("no signature is by this secret")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they came, before anything parses them.
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            piece = verify(self.headers, body)
        except ValueError as problem:
            return self.answer(400, str(problem))
        event = piece.pop("_service")["event"]
        if event == "webhook.ping":
            return self.answer(200, piece["challenge"])
        # Keep it under its id: what is sent twice is then kept once.
        if event == "piece.published":
            print(self.headers["webhook-id"], piece["title"], flush=True)
        self.answer(204)

    def answer(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


port = int(os.environ.get("PORT", 9000))
HTTPServer(("127.0.0.1", port), Receiver).serve_forever()
