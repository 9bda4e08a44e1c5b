# Serves one Rack application, given as a file, on PORT: as much of a Rack server as its test needs.
require "socket"
require "stringio"

def run(app) = @app = app

$stdout.sync = true
load ARGV.fetch(0)

server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT")))
loop do
  client = server.accept
  next client.close unless client.gets
  env = {}
  until (line = client.gets("\r\n", chomp: true)).empty?
    name, value = line.split(/:\s*/, 2)
    env["HTTP_#{name.upcase.tr("-", "_")}"] = value
  end
  env["rack.input"] = StringIO.new(client.read(env.fetch("HTTP_CONTENT_LENGTH", "0").to_i))
  begin
    status, headers, body = @app.call(env)
  rescue StandardError => e
    warn e.full_message
    status, headers, body = 500, {}, []
  end
  text = body.join
  head = headers.merge("content-length" => text.bytesize, "connection" => "close").map { |pair| pair.join(": ") }
  client.write("HTTP/1.1 #{status} -\r\n#{head.join("\r\n")}\r\n\r\n#{text unless status == 204}")
  client.close
end
