vcl 4.1;

# The edge of a site: Varnish 7 with xkey of varnish-modules. What to change is up to the line of dashes.
# See "Edge cache" in docs/operations.md.

import std;
import xkey;

# Two failures in a row, 2 s: less than SHUTDOWN_DELAY, so that a stopping server gets no more requests before it ends.
probe ready {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 2s;
    .window = 2;
    .threshold = 1;
    .initial = 1;
}

# A server may answer nothing longer than 8 s; 200 connections are more than it serves at once.
backend first {
    .host = "127.0.0.1";
    .port = "8081";
    .max_connections = 200;
    .connect_timeout = 2s;
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
}

backend second {
    .host = "127.0.0.1";
    .port = "8082";
    .max_connections = 200;
    .connect_timeout = 2s;
    .first_byte_timeout = 15s;
    .between_bytes_timeout = 15s;
}

# Where each says whether it is ready: its ADMIN_PORT. Nothing else is asked there.
backend first_admin {
    .host = "127.0.0.1";
    .port = "18081";
    .probe = ready;
}

backend second_admin {
    .host = "127.0.0.1";
    .port = "18082";
    .probe = ready;
}

# Who may say what to forget: the machines that run workers. Only at the socket that is called purge.
acl purgers { "localhost"; "127.0.0.0"/8; "::1"; }

sub choose_server {
    if (!std.healthy(first_admin) && !std.healthy(second_admin)) { return (error(503)); }
    if (!std.healthy(second_admin) || (std.healthy(first_admin) && std.random(0, 2) < 1)) {
        set bereq.backend = first;
    } else {
        set bereq.backend = second;
    }
}

# Whom to ask instead of the one that did not answer: the next in turn may be the same one.
sub another_server {
    if (beresp.backend == first) { set bereq.backend = second; } else { set bereq.backend = first; }
}

# How long what was public may still be shown while no server answers: 0s for never. What was purged is gone at once,
# however long this is. What may not be cached, such as the desk, is never kept.
sub stale_while_away {
    set beresp.grace = 1d;
}

# -----------------------------------------------------------------------------------------------------------------

sub vcl_recv {
    if (local.socket == "purge") {
        if (req.method != "PURGE") { return (synth(404)); }
        if (client.ip !~ purgers) { return (synth(403)); }
        if (!req.http.xkey) { return (synth(400)); }
        set req.http.purged = xkey.purge(req.http.xkey);
        return (synth(200));
    }
    unset req.http.x-brotli;
    # The site logs the request by the same id, and says it in the body of an error.
    if (req.restarts == 0) {
        std.collect(req.http.x-request-id);
        if (req.http.x-request-id !~ "^[A-Za-z0-9][A-Za-z0-9_.:+/=-]{7,127}$") {
            set req.http.x-request-id = std.time2integer(now, 0) + "-" + req.xid;
        }
    }
    # Nothing of ours asks with a fragment, and Node would leave it off.
    if (req.url ~ "#") { return (synth(400)); }
    # Stale is for when the site has just failed to answer this very request.
    if (req.restarts == 0) {
        unset req.http.x-stale;
        unset req.http.x-page;
        unset req.http.x-passed;
        set req.grace = 0s;
        # A person: not the API, nothing that programs ask for by its ending, and HTML rather than anything else.
        if (req.http.accept ~ "(?i)^text/html\s*(,|$)"
            && req.http.accept !~ "(?i)application/json|\*/\*\s*(,|$)"
            && req.url !~ "(?i)^/(api|desk/api|fonts|image|embed|media|oembed)(/|\?|$)"
            && req.url !~ "(?i)^[^?]*\.[a-z0-9]{2,5}(\?|$)") {
            set req.http.x-page = "1";
        }
    } else {
        # As long as each was given.
        set req.grace = 1000d;
    }

    # Most of what is asked for needs no more looking at.
    if (req.url !~ "^/(api/public|author|media|image)/[^?]*$" || (req.method != "GET" && req.method != "HEAD")) {
        call look_closely;
    }
    # Writers who have just published read their own writes.
    if (req.http.cookie) {
        if (req.http.cookie ~ "(^|;\s*)(__Host-)?wrote=") { return (pass); }
        unset req.http.cookie;
    }
    unset req.http.authorization;

    # One of three: what a browser says of pages, what everybody else says, and what asks for something by name.
    if (!req.http.accept) {
        set req.http.accept = "*/*";
    } elsif (req.http.accept != "*/*") {
        if (req.http.accept !~ "(?i)text/|event-stream"
            || (req.http.accept ~ "(?i)^application/json\s*(,|$)" && req.http.accept !~ "(?i)text/(html|markdown|\*|event)")) {
            set req.http.accept = "*/*";
        } elsif (req.http.accept ~ "(?i)^text/html\s*(,|$)"
            && req.http.accept !~ "(?i)markdown|json|event-stream|(\*/|application/|text/)\*(?!\s*;\s*q=0)") {
            set req.http.accept = "text/html";
        }
    }

    # Pages, feeds and texts come as Brotli too, from the site; Varnish makes gzip of the API's answers itself.
    if (req.url !~ "^/(api|media|image)/" && req.http.accept-encoding ~ "(?i)(^|[\s,])br\s*(,|$)") {
        set req.http.x-brotli = "br";
    }
    return (hash);
}

sub look_closely {
    if (req.method == "PURGE") { return (synth(405)); }
    if (req.url !~ "^/") { set req.url = regsub(req.url, "^(?i)https?://[^/]*", ""); }
    # The site reads %64esk as desk, and has no address that begins with something to decode.
    if (req.url ~ "^/([^/?]*%|(metrics|healthz|readyz)(\?|$))") { return (synth(404)); }
    # Writers, keys and readers' counts are between them and the site.
    if (req.url ~ "^/(desk|api/v1|r)(/|\?|$)" || (req.method != "GET" && req.method != "HEAD")) { return (pass); }
    if (req.url ~ "\?") {
        # What nobody here reads. `ref` and `utm_source` are counted.
        set req.url = regsuball(req.url, "([?&])(utm_(medium|campaign|term|content|id)|[a-z]{1,3}clid|gbraid|wbraid|msclkid|igshid|mc_[ce]id|_g[al])=[^&]*", "\1");
        set req.url = regsub(regsuball(req.url, "&{2,}", "&"), "\?&", "?");
        set req.url = std.querysort(regsub(req.url, "[?&]$", ""));
    }
}

# Not by host: there is one site, and it speaks of itself by BASE_URL.
sub vcl_hash {
    hash_data(req.url);
    if (req.http.x-brotli) { hash_data(req.http.x-brotli); }
    return (lookup);
}

# Of what is passed nothing is kept that could be given instead of a failure.
sub vcl_pass {
    set req.http.x-passed = "1";
}

# Nothing stale to give instead of the failure; asking the site again would only keep it busy.
sub vcl_miss {
    if (req.http.x-stale) { return (synth(503)); }
}

sub vcl_backend_fetch {
    if (bereq.retries == 0) { call choose_server; }
    set bereq.http.x-began = std.time2real(now, 0.0);
    if (bereq.http.x-brotli) { set bereq.http.accept-encoding = "br"; }
    unset bereq.http.x-brotli;
    unset bereq.http.x-stale;
    unset bereq.http.x-page;
    unset bereq.http.x-passed;
    # Where the site shows nothing but itself.
    unset bereq.http.x-own;
    if (!bereq.uncacheable
        && bereq.url !~ "^/($|\?|feed|sitemap|llms|(author|p|shop|category|search|media|image|embed/[^/]+|oembed|trust|api/public)(/|\?|$))") {
        set bereq.http.x-own = "1";
    }
    # Tools listen for as long as they like; the site breathes every 10 s.
    if (bereq.url ~ "^/(api|desk)/") { set bereq.between_bytes_timeout = 60s; }
}

sub vcl_backend_response {
    # What is there already stays there, and serves, stale, until the site answers again. Varnish asks by an ETag only
    # where it has something.
    if (beresp.status >= 500
        && (bereq.is_bgfetch || bereq.http.x-own || (bereq.http.if-none-match && !bereq.uncacheable))) {
        return (abandon);
    }
    # Readers of a failure do not wait for each other; it stands before what is stale for no longer than a second.
    if (beresp.status >= 500 && !bereq.uncacheable) {
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
        set beresp.grace = 0s;
        return (deliver);
    }

    if (beresp.http.surrogate-key) { set beresp.http.xkey = beresp.http.surrogate-key; }
    if (beresp.http.xkey) {
        call stale_while_away;
        # Kept a little longer to be asked about by its ETag.
        set beresp.keep = 10m;
    } else {
        set beresp.grace = 1d;
    }
    unset beresp.http.surrogate-key;
    unset beresp.http.cache-tag;
    # An answer that is kept is given to others: each gets the id of their own request.
    unset beresp.http.x-request-id;

    if (bereq.uncacheable) { return (deliver); }
    if (beresp.http.content-type ~ "^application/(json|openapi\+json)" && !beresp.http.content-encoding) {
        set beresp.do_gzip = true;
    }
    # A change, and its purge, may have come while this was under way; what took longer than purges wait for each other
    # is soon asked for again, and never shown stale. Not uncacheable: when the site is slow is when readers should share
    # an answer.
    if (beresp.ttl > 1s && std.time2real(now, 0.0) - std.real(bereq.http.x-began, 0.0) > 1.0) {
        set beresp.ttl = 1s;
        set beresp.grace = 0s;
    }
}

sub vcl_deliver {
    unset resp.http.xkey;
    unset resp.http.via;
    unset resp.http.x-varnish;
    set resp.http.x-request-id = req.http.x-request-id;
    if (obj.uncacheable) {
        set resp.http.x-cache = "pass";
    } elsif (obj.ttl < 0s) {
        set resp.http.x-cache = "stale";
    } elsif (obj.hits > 0) {
        set resp.http.x-cache = "hit";
    } else {
        set resp.http.x-cache = "miss";
    }
}

sub vcl_backend_error {
    # A server that just went away: the other one may be there. What writes is not asked for twice.
    if (bereq.retries == 0 && (bereq.method == "GET" || bereq.method == "HEAD")) {
        call another_server;
        return (retry);
    }
    # vcl_synth looks for something stale, and has the words.
    return (abandon);
}

# What a person sees: error.html with its words put in. `deploy/haproxy/errors.map` has the same pages.
sub error_page {
    set resp.http.content-type = "text/html; charset=utf-8";
    set resp.http.content-security-policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
    if (resp.status == 404) {
        set req.http.x-title = "Page not found";
        set req.http.x-advice = "It may have been removed, or the link may be wrong.";
        set req.http.x-link = """<a href="/">Go to the home page</a>""";
    } elsif (resp.status == 503) {
        set req.http.x-title = "This site is temporarily unavailable";
        set req.http.x-advice = "Try again in a minute. Nothing that was saved is lost.";
        set req.http.x-link = """<a href="">Try again</a>""";
    } else {
        set req.http.x-title = "This link is not valid";
        set req.http.x-advice = "It may be incomplete.";
        set req.http.x-link = """<a href="/">Go to the home page</a>""";
    }
    set resp.body = regsub(regsub(regsuball(std.fileread("/opt/standfirst/deploy/edge/error.html"),
        "TITLE", req.http.x-title), "ADVICE", req.http.x-advice), "LINK", req.http.x-link);
}

sub vcl_synth {
    if (resp.status == 503 && req.restarts == 0 && !req.http.x-passed) {
        set req.http.x-stale = "1";
        return (restart);
    }
    set resp.http.cache-control = "no-store";
    set resp.http.x-content-type-options = "nosniff";
    set resp.http.x-request-id = req.http.x-request-id;
    if (resp.status == 503) { set resp.http.retry-after = "2"; }
    if (req.http.x-page) {
        call error_page;
        return (deliver);
    }
    set resp.http.content-type = "application/json; charset=utf-8";
    set req.http.x-error = """{"ok":false,"request_id":""" + {"""} + req.http.x-request-id + {"""};
    if (resp.status == 200) {
        set resp.body = """{"ok":true,"purged":""" + req.http.purged + "}";
    } elsif (resp.status == 404) {
        set resp.body = req.http.x-error + ""","reason":"not_found","detail":"There is nothing at this address. /api/openapi.json lists what there is."}""";
    } elsif (resp.status == 405) {
        set resp.body = req.http.x-error + ""","reason":"method_not_allowed","detail":"This address does not take this method."}""";
    } elsif (resp.status == 403) {
        set resp.body = req.http.x-error + ""","reason":"forbidden","detail":"This address may not purge. The acl of the edge names those that may."}""";
    } elsif (resp.status == 503) {
        set resp.body = req.http.x-error + ""","reason":"overloaded","detail":"The site is busy. Try again in a moment."}""";
    } else {
        set resp.body = req.http.x-error + ""","reason":"validation_failed","detail":"The request cannot be read."}""";
    }
    return (deliver);
}
