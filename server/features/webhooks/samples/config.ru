require "json"
require "openssl"

KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m0")
raise "WEBHOOK_SECRET is no secret of a webhook" if KEY.bytesize < 24

# What the site sent, or an ArgumentError.
def verify(id, sent, signatures, body)
  age = Time.now.to_i - Integer(sent, 10)
  raise ArgumentError, "signed more than five minutes from now" if age.abs > 300

  mac = OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{sent}.".b + body)
  expected = "v1,#{[mac].pack("m0")}"
  # While the secret is being changed there are two signatures.
  given = signatures.split(" ")
  matches = given.any? { |one| OpenSSL.secure_compare(one, expected) }
  raise ArgumentError, "no signature is by this secret" unless matches

  JSON.parse(body)
end

run lambda { |env|
  # The bytes as they came, before anything parses them.
  body = env["rack.input"].read.b
  names = %w[HTTP_WEBHOOK_ID HTTP_WEBHOOK_TIMESTAMP HTTP_WEBHOOK_SIGNATURE]
  begin
    piece = verify(*names.map { |name| env.fetch(name, "") }, body)
  rescue ArgumentError => problem
    next [400, {}, [problem.message]]
  end
  event = piece.delete("_service")["event"]
  next [200, {}, [piece["challenge"]]] if event == "webhook.ping"

  # Keep it under its id: what is sent twice is then kept once.
  puts "#{env["HTTP_WEBHOOK_ID"]} #{piece["title"]}" if event == "piece.published"
  [204, {}, []]
}
