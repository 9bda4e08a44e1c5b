<?php
$secret = substr((string) getenv('WEBHOOK_SECRET'), strlen('whsec_'));
$key = base64_decode($secret, true)
    ?: throw new Exception('WEBHOOK_SECRET is no secret of a webhook');

/** What the site sent, or a RuntimeException. */
function verify(string $key, string $id, string $sent, string $signatures, string $body): array
{
    if (!ctype_digit($sent) || abs(time() - (int) $sent) > 300) {
        throw new RuntimeException('signed more than five minutes from now');
    }
    $mac = hash_hmac('sha256', "$id.$sent.$body", $key, true);
    $expected = 'v1,' . base64_encode($mac);
    // While the secret is being changed there are two signatures.
    foreach (explode(' ', $signatures) as $one) {
        if (hash_equals($expected, $one)) {
            return json_decode($body, true);
        }
    }
    throw new RuntimeException('no signature is by this secret');
}

try {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $sent = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    // The bytes as they came, before anything parses them.
    $piece = verify($key, $id, $sent, $signatures, file_get_contents('php://input'));
} catch (RuntimeException $problem) {
    http_response_code(400);
    exit($problem->getMessage());
}
$event = $piece['_service']['event'];
if ($event === 'webhook.ping') {
    exit($piece['challenge']);
}
// Keep it under its id: what is sent twice is then kept once.
if ($event === 'piece.published') {
    error_log("$id {$piece['title']}");
}
http_response_code(204);
